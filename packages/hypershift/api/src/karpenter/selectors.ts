/** Rules that selectors of EC2 resources share. */
import { type Rule } from '../schema/index.ts';

export const nonEmptyTags: Rule = {
  rule: "self.all(k, k != '' && self[k] != '')",
  message: "empty tag keys or values aren't supported",
};
