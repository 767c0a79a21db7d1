import { readFileSync } from 'node:fs';

/** Where ports go that this process may not open: 443 becomes 20443. */
const shift = 20_000;
const netBindService = 10n;

/** The first port an ordinary process of this machine may open. */
export const firstOpenPort: number = measure();

function measure(): number {
  try {
    const capabilities = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    if ((BigInt(`0x${capabilities}`) >> netBindService) & 1n) return 0;
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    return process.getuid?.() === 0 ? 0 : 1024;
  }
}

/**
 * The port under which a port of a Service is reached on this machine. The same unless it needs privileges this process
 * lacks; who dials a Service from inside the process asks here, and pods get it in their environment.
 */
export function portHere(port: number, firstOpen: number = firstOpenPort): number {
  return port < firstOpen ? port + shift : port;
}
