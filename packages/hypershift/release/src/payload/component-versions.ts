import { causeText } from '../errors.ts';
import { formatVersion, parseVersion } from '../version/version.ts';
import { type ImageReferences, malformedRelease, type PayloadTag } from './image-references.ts';

const versionsAnnotation = 'io.openshift.build.versions';
const allowedKey = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;
/** Releases with two OS streams report two of these; the first in order stands for them. */
const maySeveral = 'machine-os';

/**
 * Versions that the images of a release report about themselves, for example `kubernetes` and `machine-os`, and the
 * release's own under `release`. Two images that disagree make the payload unusable.
 */
export function componentVersions({ version, tags }: ImageReferences, image: string): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const tag of tags)
    for (const [key, value] of reported(tag, image)) {
      // Many images carry a kubectl; the one people download counts.
      if (key === 'kubectl' && tag.name !== 'cli' && tag.name !== 'cli-artifacts') continue;
      const values = found.get(key);
      if (values) values.add(value);
      else found.set(key, new Set([value]));
    }
  const several = [...found].filter(([key, values]) => values.size > 1 && key !== maySeveral).map(([key]) => key);
  if (several.length > 0)
    throw malformedRelease(
      image,
      `multiple versions reported for the following component(s): ${several.sort().join(', ')}`,
    );
  const versions = new Map([['release', version]]);
  for (const [key, values] of [...found].sort(([a], [b]) => (a < b ? -1 : 1)))
    versions.set(key, [...values].sort()[0] as string);
  return versions;
}

function* reported(tag: PayloadTag, image: string): Generator<[string, string]> {
  const text = tag.annotations[versionsAnnotation]?.trim();
  if (!text) return;
  const bad = (why: string, cause?: unknown) =>
    malformedRelease(image, `the referenced image ${tag.name} had an invalid version annotation: ${why}`, cause);
  for (const pair of text.split(',').map((one) => one.trim())) {
    const equals = pair.indexOf('=');
    const key = pair.slice(0, equals);
    if (equals < 0) throw bad(`the version pair ${JSON.stringify(pair)} must be NAME=VERSION`);
    if (!allowedKey.test(key))
      throw bad(`the version name ${JSON.stringify(key)} must only be ASCII alphanumerics and internal hyphens`);
    try {
      yield [key, formatVersion({ ...parseVersion(pair.slice(equals + 1)), build: [] })];
    } catch (cause) {
      throw bad(
        `the version pair ${JSON.stringify(pair)} must have a valid semantic version: ${causeText(cause)}`,
        cause,
      );
    }
  }
}
