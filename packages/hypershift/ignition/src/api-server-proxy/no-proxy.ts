import { BlockList, isIP, isIPv4 } from 'node:net';

/** Where nodes reach the API server: its published address, and the one that it has inside the cluster. */
export interface ProxiedAddress {
  readonly host: string;
  readonly port: number;
}

/** Would a client with this NO_PROXY connect directly? The rules of Go's HTTP client. */
export function bypassesProxy(noProxy: string, { host, port }: ProxiedAddress): boolean {
  const address = host.trim().toLowerCase().replace(/\.$/, '');
  if (address === 'localhost' || isLoopback(address)) return true;
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || matches(entry, address, port));
}

function matches(entry: string, host: string, port: number): boolean {
  const cidr = /^([0-9a-f:.]+)\/(\d{1,3})$/.exec(entry);
  if (cidr?.[1] && isIP(cidr[1])) return isIP(host) !== 0 && inCidr(host, cidr[1], Number(cidr[2]));
  const [name, entryPort] = splitPort(entry);
  if (entryPort !== undefined && entryPort !== port) return false;
  if (isIP(name) !== 0) return isIP(host) !== 0 && inCidr(host, name, isIPv4(name) ? 32 : 128);
  const domain = name.startsWith('*.') ? name.slice(1) : name;
  // A leading dot means the names below it; without one, the name itself as well.
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function splitPort(entry: string): [name: string, port: number | undefined] {
  const match = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(entry);
  if (!match || isIP(entry) === 6) return [entry.replace(/^\[|\]$/g, ''), undefined];
  return [match[1] ?? '', Number(match[2])];
}

function inCidr(host: string, network: string, bits: number): boolean {
  if (isIP(host) !== isIP(network) || bits > (isIPv4(network) ? 32 : 128)) return false;
  const family = isIPv4(network) ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, bits, family);
  return list.check(host, family);
}

const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && (address === '::1' || inCidr(address, '127.0.0.0', 8));
