import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child, maybe, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { fieldsOf, textOf } from '../values.ts';
import { validateSecret, validateSecretUpdate } from './secret-validation.ts';

/** `stringData` is for writing only: it goes into `data`, encoded, and wins over what is there. */
function mergeStringData(secret: Draft): void {
  const plain = maybe(secret, 'stringData') ?? {};
  for (const key of Object.keys(plain)) {
    const value = plain[key];
    const data = child(secret, 'data');
    Object.defineProperty(data, key, {
      value: Buffer.from(typeof value === 'string' ? value : '', 'utf8').toString('base64'),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  // Last, so that it can be done again from the start when `data` turns out to be the stored object's.
  delete secret['stringData'];
}

function defaultSecret(secret: Draft): void {
  mergeStringData(secret);
  setDefault(secret, 'type', 'Opaque');
}

export const secret: KindBehaviour = {
  defaults: defaultSecret,
  prepareForUpdate: (draft, old) => setDefault(draft, 'type', old['type']),
  validate: validateSecret,
  validateUpdate: validateSecretUpdate,
  selectableFields: { type: (object) => textOf(object['type']) },
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Type', 'What kind of credential it holds.'),
    text('Data', 'How many entries it has.'),
    ageColumn,
  ],
  cells: (object, now) => [
    nameOf(object),
    textOf(object['type']),
    Object.keys(fieldsOf(object['data'])).length,
    ageOf(object, now),
  ],
};
