/** Go's time layouts: a moment is shown the way the reference time Mon Jan 2 15:04:05 MST 2006 is written. */

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

// Longer elements first: the pattern must not see "2" in "2006".
const ELEMENT =
  /January|Jan|Monday|Mon|MST|2006|002|Z07:00:00|Z070000|Z07:00|Z0700|Z07|-07:00:00|-070000|-07:00|-0700|-07|_2006|_2|01|02|03|04|05|06|15|PM|pm|[.,](?:0+|9+)(?!\d)|[12345]/g;

const two = (value: number): string => String(value).padStart(2, '0');

/** Formats a moment in UTC. */
export function formatLayout(layout: string, ms: number): string {
  const date = new Date(ms);
  return layout.replace(ELEMENT, (element) => show(element, date));
}

function show(element: string, date: Date): string {
  switch (element) {
    case '2006':
      return String(date.getUTCFullYear()).padStart(4, '0');
    case '_2006':
      return `_${String(date.getUTCFullYear()).padStart(4, '0')}`;
    case '06':
      return two(date.getUTCFullYear() % 100);
    case '01':
      return two(date.getUTCMonth() + 1);
    case '1':
      return String(date.getUTCMonth() + 1);
    case 'Jan':
      return MONTHS[date.getUTCMonth()]!.slice(0, 3);
    case 'January':
      return MONTHS[date.getUTCMonth()]!;
    case '02':
      return two(date.getUTCDate());
    case '_2':
      return String(date.getUTCDate()).padStart(2);
    case '2':
      return String(date.getUTCDate());
    case '002':
      return String(dayOfYear(date)).padStart(3, '0');
    case 'Mon':
      return DAYS[date.getUTCDay()]!.slice(0, 3);
    case 'Monday':
      return DAYS[date.getUTCDay()]!;
    default:
      return showTime(element, date);
  }
}

function showTime(element: string, date: Date): string {
  const hour = date.getUTCHours();
  const half = hour % 12 === 0 ? 12 : hour % 12;
  switch (element) {
    case '15':
      return two(hour);
    case '03':
      return two(half);
    case '3':
      return String(half);
    case '04':
      return two(date.getUTCMinutes());
    case '4':
      return String(date.getUTCMinutes());
    case '05':
      return two(date.getUTCSeconds());
    case '5':
      return String(date.getUTCSeconds());
    case 'PM':
      return hour < 12 ? 'AM' : 'PM';
    case 'pm':
      return hour < 12 ? 'am' : 'pm';
    case 'MST':
      return 'UTC';
    default:
      return element.startsWith('Z')
        ? 'Z'
        : element.startsWith('-')
          ? element.replace('-', '+').replaceAll('7', '0')
          : fraction(element, date);
  }
}

function fraction(element: string, date: Date): string {
  const digits = String(date.getUTCMilliseconds())
    .padStart(3, '0')
    .padEnd(element.length - 1, '0')
    .slice(0, element.length - 1);
  if (element[1] === '0') return `${element[0]}${digits}`;
  const short = digits.replace(/0+$/, '');
  return short === '' ? '' : `${element[0]}${short}`;
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
}
