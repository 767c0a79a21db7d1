import { readdirSync, readFileSync } from 'node:fs';

/** Command lines of the processes that a cluster's nodes have started, by what stands in their environment. Linux only. */
export function programsOf(dataDir: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        if (!environment.includes(`HYPERSHIFT_CONTAINER=${dataDir}/`)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(2).join(' ')];
      } catch {
        return [];
      }
    });
}

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly sourceIPs?: readonly string[];
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly responseStatus?: { readonly code?: number };
}

export function auditEvents(file: string): readonly AuditEvent[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as AuditEvent);
}

/** A kubeconfig like another, with a token in the place of its certificate. */
export function withToken(kubeconfig: string, token: string): string {
  return kubeconfig.replace(/client-certificate-data: .*/, `token: ${token}`).replace(/ *client-key-data: .*\n/, '');
}
