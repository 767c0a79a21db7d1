/**
 * What makes systemd unit text unreadable for Ignition; undefined when it is fine. Like systemd's own reader it ignores
 * whatever stands before the first section.
 */
export function unitError(contents: string | undefined): string | undefined {
  if (!contents) return undefined;
  let inSection = false;
  let continued = false;
  for (const raw of contents.split('\n')) {
    const line = raw.trim();
    if (continued) {
      continued = raw.endsWith('\\');
      continue;
    }
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const bracket = inSection ? (line.startsWith('[') ? 0 : -1) : line.indexOf('[');
    if (bracket >= 0) {
      const end = line.indexOf(']', bracket);
      if (end < 0) return `unable to find end of section: ${line.slice(bracket, bracket + 60)}`;
      const garbage = line.slice(end + 1).trim();
      if (garbage !== '')
        return `found garbage after section name ${line.slice(bracket, end + 1)}: ${garbage.slice(0, 60)}`;
      inSection = true;
    } else if (inSection) {
      if (!line.includes('=')) return `unable to find '=' in: ${line.slice(0, 60)}`;
      continued = raw.endsWith('\\');
    }
  }
  return undefined;
}
