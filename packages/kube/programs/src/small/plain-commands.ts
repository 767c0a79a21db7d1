import { readFile } from 'node:fs/promises';
import { delay } from '@hypershift-ts/kube-apimachinery';
import type { BuiltinContext, BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { ProgramFlags } from '../program-flags.ts';
import { programLog } from '../program-log.ts';
import { answers } from './availability-prober.ts';

const words = ({ command = [], args }: Pick<BuiltinContext, 'command' | 'args'>) => [...command.slice(1), ...args];

/** `sleep 70`, `sleep 1h`, `sleep infinity`. */
export const sleep: BuiltinProgram = async (context) => {
  const [text = ''] = words(context);
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text);
  if (!match && text !== 'infinity') {
    context.stderr.write(`sleep: invalid time interval ${JSON.stringify(text)}\n`);
    return 1;
  }
  const unit = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }[(match?.[2] ?? '') as 's'] ?? 1;
  const ms = match ? Number(match[1]) * unit * 1000 : Number.POSITIVE_INFINITY;
  await delay(context.clock, ms, context.signal);
  return 0;
};

/** `cat file...` */
export const cat: BuiltinProgram = async (context) => {
  let code = 0;
  for (const file of words(context).filter((word) => !word.startsWith('-'))) {
    try {
      context.stdout.write(await readFile(context.path(file)));
    } catch {
      context.stderr.write(`cat: ${file}: No such file or directory\n`);
      code = 1;
    }
  }
  return code;
};

/** `resolve-dns name`: ends when a name leads somewhere. Members of this process are found without DNS. */
export const resolveDns: BuiltinProgram = async (context) => {
  const log = programLog(context);
  const flags = new ProgramFlags(words(context), new Set(['self-register']));
  const name = flags.words.filter((word) => word !== 'resolve-dns').at(-1) ?? context.env['HOSTNAME'] ?? '';
  // Names of pods below headless Services are known to whoever runs in this process; there is nothing to wait for.
  log.info({ name, address: context.resolveService(name) }, 'names are resolved inside this process');
  return 0;
};

/** Asks a URL every ten seconds and ends with 1 when it no longer answers; the kas-readiness-check sidecar. */
export const readinessCheck: BuiltinProgram = async (context) => {
  const log = programLog(context);
  const url = words(context).find((word) => URL.canParse(word) && /^https?:/.test(word));
  const target = new URL(url ?? 'https://kube-apiserver:6443/livez');
  let said: string | undefined = '';
  while (!context.signal.aborted) {
    const problem = await answers(context, target);
    if (problem !== said) log.info({}, problem ?? `${target.href} answers`);
    said = problem;
    await delay(context.clock, 10_000, context.signal);
  }
  return 0;
};

/** `curl -kfs URL`: the status decides, the certificate does not. */
export const curl: BuiltinProgram = async (context) => {
  const url = words(context).find((word) => /^https?:/.test(word) && URL.canParse(word));
  if (!url) {
    context.stderr.write('curl: no URL specified\n');
    return 2;
  }
  const problem = await answers(context, new URL(url));
  if (problem) context.stderr.write(`curl: ${problem}\n`);
  return problem ? 22 : 0;
};
