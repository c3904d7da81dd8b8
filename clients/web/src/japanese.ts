// All that the page says in Japanese, in a chunk of its own, so that nobody fetches a language that they do not read.
import { ja as later } from "./lobby/words.ja";
import { ja } from "./words.ja";

export const words = { ...ja, ...later };
