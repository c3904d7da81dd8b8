// What only games with mutual dice need of the client.
export { checkKept } from "@warledger/client";
