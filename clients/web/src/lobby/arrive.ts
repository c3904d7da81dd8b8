import { signed } from "../person";
import { follow } from "./keyring";
import { come } from "./sign";

/** arrive takes in what an identity provider has sent, and looks after the games of whoever has signed in. */
export async function arrive(): Promise<void> {
  await come();
  if (signed.peek()) await follow();
}
