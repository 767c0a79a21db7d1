/** What makes systemd unit text unreadable for Ignition; undefined when it is fine. */
export function unitError(contents: string | undefined): string | undefined {
  if (!contents) return undefined;
  let inSection = false;
  let continued = false;
  for (const raw of contents.split('\n')) {
    const line = raw.trim();
    if (!continued && (line === '' || line.startsWith('#') || line.startsWith(';'))) continue;
    if (continued) {
      continued = raw.endsWith('\\');
      continue;
    }
    if (line.startsWith('[')) {
      if (!line.endsWith(']')) return `unable to find end of section: ${line.slice(0, 60)}`;
      inSection = true;
    } else {
      const equals = line.indexOf('=');
      if (equals < 0) return `unable to find '=' in: ${line.slice(0, 60)}`;
      if (!inSection) return `option before any section: ${line.slice(0, 60)}`;
      continued = raw.endsWith('\\');
    }
  }
  return undefined;
}
