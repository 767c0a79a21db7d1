import { type FieldError, fieldError, statusErrors } from '@hypershift-ts/kube-apimachinery';

/** What of the query of a list or watch has rules between its parts. */
export interface ListOptionsQuery {
  readonly watch: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continue: string;
  /** Undefined when the query does not say. */
  readonly sendInitialEvents: boolean | undefined;
}

/** Throws 422 for combinations of list options that make no sense. */
export function checkListOptions(query: ListOptionsQuery): void {
  const errors =
    query.watch && query.sendInitialEvents !== undefined ? initialEventsErrors(query) : [...listErrors(query)];
  if (errors.length > 0) throw statusErrors.invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}

const match = 'resourceVersionMatch';

function initialEventsErrors({ resourceVersionMatch, continue: token }: ListOptionsQuery): FieldError[] {
  const errors: FieldError[] = [];
  if (resourceVersionMatch !== 'NotOlderThan')
    errors.push(
      fieldError.forbidden(match, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
      ...(resourceVersionMatch === '' ? [] : [fieldError.notSupported(match, resourceVersionMatch, ['NotOlderThan'])]),
    );
  if (token !== '') errors.push(fieldError.forbidden('continue', 'sendInitialEvents is forbidden with continue'));
  return errors;
}

function* listErrors(query: ListOptionsQuery): Generator<FieldError> {
  const { resourceVersion, resourceVersionMatch, continue: token } = query;
  if (!query.watch && query.sendInitialEvents !== undefined)
    yield fieldError.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  if (query.watch && resourceVersionMatch !== '')
    yield fieldError.forbidden(
      match,
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
  else if (resourceVersionMatch !== '' && resourceVersion === '' && token === '')
    yield fieldError.forbidden(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
  else if (resourceVersionMatch !== '' && token !== '')
    yield fieldError.forbidden(match, 'resourceVersionMatch is forbidden when continue is provided');
  else if (resourceVersionMatch !== '' && !['Exact', 'NotOlderThan'].includes(resourceVersionMatch))
    yield fieldError.notSupported(match, resourceVersionMatch, ['Exact', 'NotOlderThan', '']);
  else if (resourceVersionMatch === 'Exact' && resourceVersion === '0')
    yield fieldError.forbidden(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
}
