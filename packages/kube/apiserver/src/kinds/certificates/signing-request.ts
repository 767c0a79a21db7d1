import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { KindBehaviour } from '../behaviour.ts';
import { humanDuration } from '../human-duration.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { orNone } from '../table/format.ts';
import { listOf, specOf, statusOf, textOf } from '../values.ts';
import { prepareRequestForCreate, prepareRequestForUpdate, prepareRequestStatus } from './request-strategy.ts';
import { validateRequest, validateRequestUpdate } from './request-validation.ts';

function conditionText(csr: UnstructuredObject): string {
  const status = statusOf(csr);
  const types = new Set(listOf(status['conditions']).map((condition) => condition['type']));
  const parts = [types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending'];
  if (types.has('Failed')) parts.push('Failed');
  if (textOf(status['certificate']) !== '') parts.push('Issued');
  return parts.join(',');
}

export const certificateSigningRequest: KindBehaviour = {
  prepareForCreate: prepareRequestForCreate,
  prepareForUpdate: prepareRequestForUpdate,
  validate: validateRequest,
  validateUpdate: (object, old) => validateRequestUpdate(object, old),
  status: {
    prepare: prepareRequestStatus,
    validate: (object, old) => [
      ...validateRequest(object),
      ...validateRequestUpdate(object, old, { certificate: true }),
    ],
  },
  selectableFields: { 'spec.signerName': (object) => textOf(specOf(object)['signerName']) },
  nameRule: 'none',
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    ageColumn,
    text('SignerName', 'Signer that should sign it.'),
    text('Requestor', 'Who asked for it.'),
    text('RequestedDuration', 'How long the certificate should live.'),
    text('Condition', 'What became of it.'),
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    const seconds = spec['expirationSeconds'];
    return [
      nameOf(object),
      ageOf(object, now),
      orNone(spec['signerName']),
      textOf(spec['username']),
      typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>',
      conditionText(object),
    ];
  },
};
