/** The release a cluster runs or is moving to. */
import { object, raw, string } from '../schema/index.ts';

export const releaseImage = object({
  image: string({ minLength: 1, maxLength: 253 })
    .describe('Pull specification of an OpenShift release image, by tag or digest.')
    .rule(
      raw`self.matches('^(\\w+\\S+)$')`,
      'Image must start with a word character (letters, digits, or underscores) and contain no white spaces',
    ),
});
