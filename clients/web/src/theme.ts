import { effect } from "@preact/signals";
import { stored } from "./wallet";

/** Light, dark, or as the device has it. */
export type Theme = "auto" | "light" | "dark";

export const theme = stored<Theme>("theme", "auto");

/** followTheme keeps the page in the theme that was chosen, and in step with the device where none was. */
export function followTheme(): void {
  const device = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const dark = theme.value === "dark" || (theme.value === "auto" && device.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  };
  device.addEventListener("change", apply);
  effect(apply);
}
