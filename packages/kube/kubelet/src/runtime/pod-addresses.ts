const everywhere = /(?<=:\/\/)(?:0\.0\.0\.0|localhost|127\.0\.0\.1|\[::1?\])(?=:\d)/g;
const url = /^[a-z]+:\/\/[^,\s]+$/;

/**
 * Addresses in a program's words as its pod means them. Pods have no network of their own here: what a container calls
 * localhost or binds everywhere would be the machine's, where another pod has the port already. Lists name each once.
 */
export function onPodAddress(text: string, podIP: string): string {
  const host = podIP.includes(':') ? `[${podIP}]` : podIP;
  const own = text.replace(everywhere, host);
  if (own === text) return text;
  const [, flag = '', list = own] = /^(--?[\w-]+=)(.*)$/s.exec(own) ?? [];
  const parts = list.split(',');
  return parts.every((part) => url.test(part)) ? `${flag}${[...new Set(parts)].join(',')}` : own;
}
