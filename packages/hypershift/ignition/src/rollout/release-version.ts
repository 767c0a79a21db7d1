/** Is the OpenShift version at least major.minor, counting pre-releases of it as it? Throws when it cannot be read. */
export function atLeast(version: string, major: number, minor: number): boolean {
  const match = /^(\d{1,4})\.(\d{1,4})\.(\d{1,6})(?:[-+].*)?$/.exec(version);
  if (!match) throw new Error(`failed to parse release image version "${version}": expected MAJOR.MINOR.PATCH`);
  const [actualMajor, actualMinor] = [Number(match[1]), Number(match[2])];
  return actualMajor > major || (actualMajor === major && actualMinor >= minor);
}
