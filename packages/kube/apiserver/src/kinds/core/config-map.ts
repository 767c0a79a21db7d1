import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { fieldsOf } from '../values.ts';
import {
  encodedBytes,
  maxDataBytes,
  textBytes,
  validateEncoding,
  validateImmutableData,
  validateKeys,
} from './data-validation.ts';

function validateConfigMap(configMap: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { data, binaryData } = configMap;
  validateKeys(errors, data, 'data');
  for (const key of Object.keys(fieldsOf(data)))
    if (Object.hasOwn(fieldsOf(binaryData), key))
      errors.push(fieldError.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  validateKeys(errors, binaryData, 'binaryData');
  validateEncoding(errors, binaryData, 'binaryData');
  if (textBytes(data) + encodedBytes(binaryData) > maxDataBytes) errors.push(fieldError.tooLong('', maxDataBytes));
  return errors;
}

export const configMap: KindBehaviour = {
  validate: validateConfigMap,
  validateUpdate: (object, old) => validateImmutableData(object, old, ['data', 'binaryData']),
  unconditionalUpdate: true,
  columns: [nameColumn, text('Data', 'How many entries it has.'), ageColumn],
  cells: (object, now) => [
    nameOf(object),
    Object.keys(fieldsOf(object['data'])).length + Object.keys(fieldsOf(object['binaryData'])).length,
    ageOf(object, now),
  ],
};
