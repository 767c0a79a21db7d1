import type { KubeObject } from '@hypershift-ts/kube-apimachinery';

/** Asks for the console of a machine; its value names the question. */
export const consoleWantedAnnotation = 'hypershift-ts.io/console-wanted';
/** The answer: the name of the question in the first line, then the console. */
export const consoleAnnotation = 'hypershift-ts.io/console';

/** Annotations of an object share 256 KiB. */
const longestAnswer = 64 * 1024;

/** The annotations that answer somebody who asks for a console; undefined when nobody does, or has his answer. */
export function consoleAnswer(
  { metadata }: KubeObject,
  text: string | undefined,
): { readonly [key: string]: string } | undefined {
  const wanted = metadata.annotations?.[consoleWantedAnnotation];
  if (!wanted || metadata.annotations?.[consoleAnnotation]?.split('\n')[0] === wanted) return undefined;
  const console = text ?? 'no instance of the simulated cloud runs this machine yet\n';
  return { [consoleAnnotation]: `${wanted}\n${console.slice(-longestAnswer)}` };
}
