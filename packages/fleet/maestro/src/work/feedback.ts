import { compileJsonPath, errorMessage, type JsonPath, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { FeedbackRule, FeedbackValue, FieldValue } from './manifest-work.ts';

export interface FeedbackLimits {
  /** Whether lists, objects and several matches may be sent as JSON; without it only single scalars are. */
  readonly rawJson: boolean;
  /** Longer JSON is left out, with an error. */
  readonly maxJsonLength: number;
}

/** As upstream's Maestro agent has them. */
export const maestroFeedback: FeedbackLimits = { rawJson: true, maxJsonLength: 1024 * 1024 };

export interface Feedback {
  readonly values: readonly FeedbackValue[];
  readonly errors: readonly string[];
}

/** What a work wants to know of an object, as far as the object has it. */
export function feedbackOf(object: KubeObject, rules: readonly FeedbackRule[], limits = maestroFeedback): Feedback {
  const values: FeedbackValue[] = [];
  const errors: string[] = [];
  for (const rule of rules) {
    const paths = rule.type === 'WellKnownStatus' ? wellKnownPaths(object, errors) : (rule.jsonPaths ?? []);
    for (const { name, path, version } of paths) {
      try {
        const fieldValue = valueAt(object, path, version, limits);
        if (fieldValue) values.push({ name, fieldValue });
      } catch (error) {
        errors.push(`${name}: ${errorMessage(error)}`);
      }
    }
  }
  return { values, errors };
}

type Path = NonNullable<FeedbackRule['jsonPaths']>[number];

const compiled = new Map<string, JsonPath>();
const mostCompiled = 1000;

/** Paths are the same in every look at every work of a kind. */
function pathOf(source: string): JsonPath {
  const known = compiled.get(source);
  if (known) return known;
  const made = compileJsonPath(`{${source}}`);
  if (compiled.size >= mostCompiled) compiled.clear();
  compiled.set(source, made);
  return made;
}

function valueAt(
  object: KubeObject,
  path: string,
  version: string | undefined,
  limits: FeedbackLimits,
): FieldValue | undefined {
  const actual = object.apiVersion?.split('/').at(-1);
  if (version && version !== actual) throw new Error(`the object has version ${actual}, not ${version}`);
  const found = pathOf(path).find(object);
  const [first] = found;
  const several = found.length > 1 && limits.rawJson;
  if (first === undefined || (first === null && !several)) return undefined;
  const scalar = several ? undefined : scalarOf(first);
  if (scalar) return scalar;
  if (!limits.rawJson) throw new Error(`the value at ${path} is neither text, integer nor boolean`);
  const jsonRaw = JSON.stringify(several ? found : first);
  if (Buffer.byteLength(jsonRaw) > limits.maxJsonLength)
    throw new Error(
      `the length of returned json raw string ${Buffer.byteLength(jsonRaw)} is larger than the maximum length ${limits.maxJsonLength}`,
    );
  return { type: 'JsonRaw', jsonRaw };
}

function scalarOf(value: unknown): FieldValue | undefined {
  if (typeof value === 'string') return { type: 'String', string: value };
  if (typeof value === 'boolean') return { type: 'Boolean', boolean: value };
  return Number.isInteger(value) ? { type: 'Integer', integer: value as number } : undefined;
}

const condition = (type: string) => `.status.conditions[?(@.type=="${type}")].status`;

/** What is worth knowing of kinds that everybody uses. */
const wellKnown: Readonly<Record<string, readonly Path[]>> = {
  'apps/v1 Deployment': [
    { name: 'ReadyReplicas', path: '.status.readyReplicas' },
    { name: 'Replicas', path: '.status.replicas' },
    { name: 'AvailableReplicas', path: '.status.availableReplicas' },
  ],
  'apps/v1 DaemonSet': [
    { name: 'NumberReady', path: '.status.numberReady' },
    { name: 'DesiredNumberScheduled', path: '.status.desiredNumberScheduled' },
    { name: 'NumberAvailable', path: '.status.numberAvailable' },
  ],
  'batch/v1 Job': [
    { name: 'JobComplete', path: condition('Complete') },
    { name: 'JobSucceeded', path: '.status.succeeded' },
  ],
  'v1 Pod': [
    { name: 'PodReady', path: condition('Ready') },
    { name: 'PodPhase', path: '.status.phase' },
  ],
};

function wellKnownPaths({ apiVersion, kind }: KubeObject, errors: string[]): readonly Path[] {
  const paths = wellKnown[`${apiVersion} ${kind}`];
  if (!paths) errors.push(`there is no well known status of ${apiVersion} ${kind}; name its fields with JSONPaths`);
  return paths ?? [];
}
