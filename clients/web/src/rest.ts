// What a board shows only when somebody has asked for it, in one file that is fetched once the board stands.
export { OddsCard } from "./board/odds";
export { PeekCard } from "./board/peekcard";
export { CompareDialog } from "./panels/compare";
export { LogPanel } from "./panels/log";
export { DiceDialog } from "./panels/manual";
export { ActionMenu } from "./panels/menu";
export { PreviewDialog } from "./panels/preview";
export { ProofDialog } from "./panels/proof";
export { RuleDialog } from "./panels/ruledialog";
export { SureDialog } from "./panels/sure";
export { SpaceTalk, TalkPanel } from "./panels/talk";
