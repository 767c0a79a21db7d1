/** As many as there are names of zones; more are somebody's inventions. */
const mostZones = 700;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    // The only calendar that is not taken for the Julian one before 1582.
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formatters.size >= mostZones) formatters.clear();
  formatters.set(zone, formatter);
  return formatter;
}

/** Throws a RangeError for a zone nobody knows. */
export function checkTimeZone(zone: string): void {
  formatterFor(zone);
}

/** How far the clocks of a zone (IANA name) are ahead of UTC at a moment. Throws a RangeError for an unknown zone. */
export function zoneOffsetMs(zone: string, ms: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterFor(zone).formatToParts(ms)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const shown = new Date(0);
  // Date.UTC would take the years before 100 for ones of the last century.
  shown.setUTCFullYear(year, month - 1, day);
  shown.setUTCHours(hour, minute, second);
  return shown.getTime() - Math.floor(ms / 1000) * 1000;
}
