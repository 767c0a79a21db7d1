/** The release a cluster runs or is moving to. */
import { object, raw, string } from '../schema/index.ts';

export const releaseImage = object({
  image: string({ minLength: 1, maxLength: 253 }).rule(
    raw`self.matches('^(\\w+\\S+)$')`,
    'Image must start with a word character (letters, digits, or underscores) and contain no white spaces',
  ),
});
