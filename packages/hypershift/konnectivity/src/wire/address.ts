/** `host:port` with brackets around IPv6. */
export function joinHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The two halves of `host:port`, or undefined when it is not such an address. */
export function splitHostPort(address: string): { readonly host: string; readonly port: number } | undefined {
  const at = address.lastIndexOf(':');
  const bracketed = address.startsWith('[') && address[at - 1] === ']';
  const host = bracketed ? address.slice(1, at - 1) : address.slice(0, at);
  const port = address.slice(at + 1);
  if (at < 1 || host === '' || host.length > 255 || (!bracketed && host.includes(':'))) return undefined;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return undefined;
  return { host, port: Number(port) };
}
