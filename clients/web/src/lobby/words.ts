import { learn } from "../words";
import { en } from "./words.en";
import { ja } from "./words.ja";

learn(en, ja);
