import { errorMessage, isConflict, isNotFound } from '@hypershift-ts/kube-apimachinery';
import { type Client, RestMapper } from '@hypershift-ts/kube-client';

const pageSize = 500;

/**
 * Writes every object of some resources again as it is, so that the API server stores it with the key it writes with
 * now. Answers what failed. `resources` are as an EncryptionConfiguration names them: `secrets`, `routes.route.openshift.io`.
 */
export async function rewriteAll(
  client: Client,
  resources: readonly string[],
  signal: AbortSignal,
): Promise<'done' | Error> {
  const served = await new RestMapper(client).resources();
  const failures: string[] = [];
  for (const name of resources) {
    const [resource, ...group] = name.split('.');
    const type = served.find((one) => one.resource === resource && one.group === group.join('.'));
    // Not served means nothing stored.
    if (!type) continue;
    let next: string | undefined;
    do {
      const page = await client.list(type, { limit: pageSize, ...(next ? { continue: next } : {}), signal });
      for (const object of page.items) {
        await client.update(type, object, { signal }).catch((error: unknown) => {
          signal.throwIfAborted();
          // Gone, or just written by somebody else: there is nothing old left either way.
          if (!isNotFound(error) && !isConflict(error))
            failures.push(`${name} ${object.metadata.name}: ${errorMessage(error)}`);
        });
      }
      next = page.metadata.continue;
    } while (next);
  }
  return failures.length === 0 ? 'done' : new Error(failures.slice(0, 10).join('; '));
}
