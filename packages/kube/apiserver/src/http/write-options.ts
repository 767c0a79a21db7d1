import { fieldError, StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { DeleteRequest } from '../registry/delete.ts';
import type { WriteOptions } from '../registry/registry.ts';

/** What a query string or an options object may say about a write. */
export interface RawWriteOptions {
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
  readonly force?: boolean;
}

/** Checks the options of a create, update or patch. */
export function writeOptions(
  raw: RawWriteOptions,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  apply = false,
): WriteOptions {
  const errors = [];
  const dryRun = raw.dryRun ?? [];
  if (dryRun.some((value) => value !== 'All')) errors.push(fieldError.notSupported('dryRun', dryRun, ['All']));
  const fieldManager = raw.fieldManager ?? '';
  if (fieldManager.length > 128) errors.push(fieldError.tooLong('fieldManager', 128));
  // oxlint-disable-next-line no-control-regex -- field managers must be printable
  const unprintable = /[\x00-\x1f\x7f]/.exec(fieldManager);
  if (unprintable) errors.push(fieldError.invalid('fieldManager', fieldManager, invalidCharacter(unprintable)));
  if (apply && fieldManager === '') errors.push(fieldError.required('fieldManager', 'is required for apply patch'));
  if (!apply && raw.force !== undefined && kind === 'PatchOptions')
    errors.push(fieldError.forbidden('force', 'may not be specified for non-apply patch'));
  const fieldValidation = raw.fieldValidation ?? '';
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(fieldValidation))
    errors.push(fieldError.notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  if (errors.length > 0) throw statusErrors.invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    // Warn is the server's default since 1.27.
    fieldValidation: (fieldValidation || 'Warn') as WriteOptions['fieldValidation'],
    force: raw.force ?? false,
  };
}

function invalidCharacter(match: RegExpExecArray): string {
  const code = match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `invalid character U+${code} (at position ${match.index})`;
}

export function writeOptionsFromQuery(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  apply = false,
): WriteOptions {
  const force = query.get('force');
  return writeOptions(
    {
      dryRun: query.getAll('dryRun'),
      fieldManager: query.get('fieldManager') ?? '',
      fieldValidation: query.get('fieldValidation') ?? '',
      ...(force === null ? {} : { force: force === 'true' || force === '1' }),
    },
    kind,
    apply,
  );
}

const policies = ['Background', 'Foreground', 'Orphan'] as const;

/** DeleteOptions from a body, or from the query when there is no body. */
export function deleteOptions(body: unknown, query: URLSearchParams): DeleteRequest {
  const raw = (body ?? queryDeleteOptions(query)) as Record<string, unknown>;
  if (typeof raw !== 'object' || Array.isArray(raw))
    throw statusErrors.badRequest("couldn't get version/kind; json parse error: DeleteOptions must be a JSON object");
  const { kind = 'DeleteOptions', apiVersion = 'meta.k8s.io/v1' } = raw;
  if (kind !== 'DeleteOptions')
    throw statusErrors.badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`,
    );
  const errors = [];
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions, dryRun } = raw;
  if (gracePeriodSeconds !== undefined && gracePeriodSeconds !== null && !Number.isSafeInteger(gracePeriodSeconds))
    throw new StatusError(400, 'BadRequest', 'DeleteOptions.gracePeriodSeconds must be an integer');
  if (propagationPolicy !== undefined && propagationPolicy !== null && !policies.includes(propagationPolicy as never))
    errors.push(
      fieldError.notSupported('propagationPolicy', propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']),
    );
  if (orphanDependents !== undefined && propagationPolicy !== undefined)
    errors.push(
      fieldError.invalid(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  const dryRunValues = (Array.isArray(dryRun) ? dryRun : dryRun ? [dryRun] : []) as string[];
  if (dryRunValues.some((value) => value !== 'All'))
    errors.push(fieldError.notSupported('dryRun', dryRunValues, ['All']));
  if (errors.length > 0) throw statusErrors.invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  const policy =
    (propagationPolicy as DeleteRequest['propagationPolicy']) ??
    (orphanDependents === true ? 'Orphan' : orphanDependents === false ? 'Background' : undefined);
  return {
    dryRun: dryRunValues.length > 0,
    ...(typeof gracePeriodSeconds === 'number' ? { gracePeriodSeconds: Math.max(0, gracePeriodSeconds) } : {}),
    ...(policy ? { propagationPolicy: policy } : {}),
    ...(preconditions ? { preconditions: preconditions as NonNullable<DeleteRequest['preconditions']> } : {}),
  };
}

function queryDeleteOptions(query: URLSearchParams): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  const grace = query.get('gracePeriodSeconds');
  if (grace !== null) options['gracePeriodSeconds'] = Number(grace);
  const policy = query.get('propagationPolicy');
  if (policy !== null) options['propagationPolicy'] = policy;
  const orphan = query.get('orphanDependents');
  if (orphan !== null) options['orphanDependents'] = orphan === 'true';
  const dryRun = query.getAll('dryRun');
  if (dryRun.length > 0) options['dryRun'] = dryRun;
  return options;
}
