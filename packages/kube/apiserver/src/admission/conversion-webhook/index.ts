import { randomUUID } from 'node:crypto';
import { isJsonObject, parseApiVersion, statusErrors, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { CustomResourceDefinition } from '../../custom-resources/index.ts';
import { type Converter, renameVersion } from '../../custom-resources/serve.ts';
import { textOf } from '../../kinds/values.ts';
import type { ClientConfig, WebhookClient } from '../webhook-client/index.ts';

const reviewVersion = 'apiextensions.k8s.io/v1';
const timeoutMs = 30_000;

/** Converts custom resources as their definition says: by its webhook, or by renaming the version. */
export function conversionWebhook(client: WebhookClient): Converter {
  return (definition, objects, apiVersion) => {
    const { conversion } = definition.spec;
    if (conversion?.strategy !== 'Webhook') return renameVersion(definition, objects, apiVersion);
    return convertAll(client, definition, objects, apiVersion);
  };
}

async function convertAll(
  client: WebhookClient,
  definition: CustomResourceDefinition,
  objects: readonly UnstructuredObject[],
  apiVersion: string,
): Promise<UnstructuredObject[]> {
  const others = objects.filter((object) => object.apiVersion !== apiVersion);
  const converted = others.length === 0 ? [] : await ask(client, definition, others, apiVersion);
  const byOriginal = new Map(others.map((object, index) => [object, converted[index]!]));
  return objects.map((object) => byOriginal.get(object) ?? object);
}

async function ask(
  client: WebhookClient,
  { spec }: CustomResourceDefinition,
  objects: readonly UnstructuredObject[],
  apiVersion: string,
): Promise<UnstructuredObject[]> {
  const kind = gvk(objects[0]!);
  const fail = (why: string): Error => statusErrors.internal(`conversion webhook for ${kind} ${why}`);
  const uid = randomUUID();
  let answer: unknown;
  try {
    answer = await client.post((spec.conversion?.webhook?.clientConfig ?? {}) as ClientConfig, {
      body: {
        kind: 'ConversionReview',
        apiVersion: reviewVersion,
        request: { uid, desiredAPIVersion: apiVersion, objects },
      },
      timeoutMs,
    });
  } catch (error) {
    throw fail(`failed: ${(error as Error).message}`);
  }
  const converted = readConverted(answer, uid, fail);
  if (converted.length !== objects.length)
    throw fail(`returned ${converted.length} objects, expected ${objects.length}`);
  return objects.map((original, index) => {
    const wrong = (why: string): Error => fail(`returned invalid converted object at index ${index}: ${why}`);
    return checked(original, converted[index], apiVersion, wrong);
  });
}

function readConverted(answer: unknown, uid: string, fail: (why: string) => Error): readonly unknown[] {
  const review = isJsonObject(answer) ? answer : {};
  if (review['kind'] !== 'ConversionReview' || review['apiVersion'] !== reviewVersion)
    throw fail(
      `failed: expected webhook response of ${reviewVersion}, Kind=ConversionReview, got ${textOf(review['apiVersion'])}, Kind=${textOf(review['kind'])}`,
    );
  const { response } = review;
  if (!isJsonObject(response)) throw fail('failed: no response provided');
  if (response['uid'] !== uid)
    throw fail(`failed: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'] ?? '')}`);
  const result = isJsonObject(response['result']) ? response['result'] : {};
  if (result['status'] !== 'Success')
    throw fail(`failed: ${textOf(result['message']) || 'response.result.status was not Success'}`);
  const converted = response['convertedObjects'];
  return Array.isArray(converted) ? (converted as unknown[]) : [];
}

/** A conversion may change labels and annotations, never who the object is. */
function checked(
  original: UnstructuredObject,
  converted: unknown,
  apiVersion: string,
  wrong: (why: string) => Error,
): UnstructuredObject {
  if (!isJsonObject(converted)) throw wrong('must be an object');
  if (converted['apiVersion'] !== apiVersion)
    throw wrong(`invalid groupVersion (expected ${apiVersion}, received ${textOf(converted['apiVersion'])})`);
  if (converted['kind'] !== original.kind)
    throw wrong(`invalid kind (expected ${original.kind}, received ${textOf(converted['kind'])})`);
  const metadata = converted['metadata'];
  if (!isJsonObject(metadata)) throw wrong('invalid metadata of type object in input object');
  for (const field of ['name', 'namespace', 'uid'] as const)
    if ((metadata[field] ?? '') !== (original.metadata[field] ?? ''))
      throw wrong(
        `must have the same ${field === 'uid' ? 'UID' : field}: ${original.metadata[field] ?? ''} != ${textOf(metadata[field])}`,
      );
  const { labels: _, annotations: __, ...kept } = original.metadata;
  return {
    ...(converted as unknown as UnstructuredObject),
    metadata: { ...kept, ...texts('labels', metadata, wrong), ...texts('annotations', metadata, wrong) },
  };
}

function texts(
  field: 'labels' | 'annotations',
  metadata: Readonly<Record<string, unknown>>,
  wrong: (why: string) => Error,
): UnstructuredObject['metadata'] {
  const value = metadata[field];
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value) || Object.values(value).some((text) => typeof text !== 'string'))
    throw wrong(`metadata.${field}: must be a map of strings`);
  return { [field]: value };
}

function gvk({ apiVersion, kind }: UnstructuredObject): string {
  const { group, version } = parseApiVersion(apiVersion);
  return `${group}/${version}, Kind=${kind}`;
}
