import {
  type FieldSelector,
  parseFieldSelector,
  parseLabelSelector,
  type Selector,
  SelectorError,
  statusErrors,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Resource } from '../resource/resource.ts';

/** Which objects of a resource a list or watch is about. */
export interface Selection {
  /** Undefined when everything is selected, so that nothing needs decoding to filter. */
  readonly matches: ((object: UnstructuredObject) => boolean) | undefined;
  /** The one name asked for, when the field selector says so. */
  readonly name: string | undefined;
  /** The one namespace asked for by field selector. */
  readonly namespace: string | undefined;
}

const everything: Selection = { matches: undefined, name: undefined, namespace: undefined };

/** Compiles the selectors of a request; 400 for one that cannot be parsed or names an unsupported field. */
export function compileSelection(resource: Resource, labelText: string, fieldText: string): Selection {
  if (labelText === '' && fieldText === '') return everything;
  const labels = parsed(() => parseLabelSelector(labelText));
  const fields = parsed(() => parseFieldSelector(fieldText));
  checkFields(resource, fields);
  const name = fields.exactMatch('metadata.name');
  const namespace = fields.exactMatch('metadata.namespace');
  return { matches: matcher(resource, labels, fields), name, namespace };
}

function matcher(resource: Resource, labels: Selector, fields: FieldSelector): Selection['matches'] {
  if (labels.everything && fields.everything) return undefined;
  const readers = resource.logic.selectableFields;
  return (object) => {
    if (!labels.everything && !labels.matches(object.metadata.labels)) return false;
    if (fields.everything) return true;
    return fields.matches((field) => {
      if (field === 'metadata.name') return object.metadata.name;
      if (field === 'metadata.namespace') return object.metadata.namespace;
      return readers[field]?.(object);
    });
  };
}

function checkFields(resource: Resource, fields: FieldSelector): void {
  for (const { field } of fields.requirements) {
    if (field === 'metadata.name' || field === 'metadata.namespace') continue;
    if (!Object.hasOwn(resource.logic.selectableFields, field))
      throw statusErrors.badRequest(
        Object.keys(resource.logic.selectableFields).length > 0
          ? `field label not supported: ${field}`
          : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
      );
  }
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) throw statusErrors.badRequest(error.message);
    throw error;
  }
}
