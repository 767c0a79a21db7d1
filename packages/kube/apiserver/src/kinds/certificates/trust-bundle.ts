import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { errorMessage, fieldError } from '@hypershift-ts/kube-apimachinery';
import { parseCertificateDer, splitPem } from '@hypershift-ts/kube-pki';
import type { KindBehaviour } from '../behaviour.ts';
import { immutable, required } from '../rules/checks.ts';
import { nameColumn, nameOf, text } from '../table/columns.ts';
import { orNone } from '../table/format.ts';
import { specOf, textOf } from '../values.ts';
import { validateSignerName } from './signer-name.ts';

const maxBundleBytes = 1024 * 1024;

function validateBundle(bundle: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(bundle);
  const signer = textOf(spec['signerName']);
  const name = nameOf(bundle);
  if (signer !== '') {
    errors.push(...validateSignerName('spec.signerName', signer));
    const prefix = `${signer.replace('/', ':')}:`;
    if (!name.startsWith(prefix))
      errors.push(
        fieldError.invalid(
          'metadata.name',
          name,
          `ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`,
        ),
      );
  } else if (name.includes(':')) {
    errors.push(
      fieldError.invalid('metadata.name', name, 'ClusterTrustBundle without signer name must not have ":" in its name'),
    );
  }
  const pem = textOf(spec['trustBundle']);
  if (required(errors, 'spec.trustBundle', pem, 'at least one trust anchor must be provided')) {
    if (Buffer.byteLength(pem) > maxBundleBytes) errors.push(fieldError.tooLong('spec.trustBundle', maxBundleBytes));
    else errors.push(...anchorFaults(pem));
  }
  return errors;
}

function anchorFaults(pem: string): FieldError[] {
  const invalid = (detail: string) => [fieldError.invalid('spec.trustBundle', '<value omitted>', detail)];
  let blocks: ReturnType<typeof splitPem>;
  try {
    blocks = splitPem(pem);
  } catch (error) {
    return invalid(errorMessage(error));
  }
  if (blocks.length === 0) return invalid('at least one trust anchor must be provided');
  const seen = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    if (block.label !== 'CERTIFICATE') return invalid(`entry ${index} has bad block type: ${block.label}`);
    try {
      if (!parseCertificateDer(block.der).isCa) return invalid(`entry ${index} does not have the CA bit set`);
    } catch {
      return invalid(`entry ${index} does not parse as X.509`);
    }
    const key = block.der.toString('base64');
    if (seen.has(key)) return invalid(`duplicate trust anchor (indices [${index}])`);
    seen.add(key);
  }
  return [];
}

export const clusterTrustBundle: KindBehaviour = {
  validate: validateBundle,
  validateUpdate: (object, old) => {
    const errors: FieldError[] = [];
    immutable(errors, 'spec.signerName', specOf(object)['signerName'], specOf(old)['signerName']);
    return errors;
  },
  nameRule: 'path',
  selectableFields: { 'spec.signerName': (object) => textOf(specOf(object)['signerName']) },
  columns: [nameColumn, text('SignerName', 'Signer the anchors belong to.')],
  cells: (object) => [nameOf(object), orNone(specOf(object)['signerName'])],
};
