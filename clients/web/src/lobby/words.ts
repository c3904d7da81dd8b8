import { learn } from "../words";
import { en } from "./words.en";

learn(en);
