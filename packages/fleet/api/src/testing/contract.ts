import { type JsonObject, type Schema, validateValue } from '@hypershift-ts/kube-apimachinery';
import { parseSchemaDocument, type SchemaDocument } from '../spec-schema/index.ts';
import { vectors } from './vectors.ts';

interface Media {
  readonly schema?: { readonly $ref?: string };
}
interface Operation {
  readonly responses?: Record<string, { readonly content?: Record<string, Media> }>;
}

/** A document of the API, to hold answers against. */
export interface Contract {
  /** What is wrong with an answer; undefined when the document does not describe it. */
  violations(method: string, path: string, status: number, contentType: string, body: unknown): string[] | undefined;
}

/** The API as a document describes it. */
export function contractOf(text: string, source: string): Contract {
  const document = parseSchemaDocument(text, source);
  const paths = Object.entries(document.document['paths'] as unknown as Record<string, Record<string, Operation>>).map(
    ([template, operations]) => ({
      form: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      operations,
    }),
  );
  return {
    violations(method, path, status, contentType, body) {
      // The published document knows no report that came too late.
      if (status === 204) return undefined;
      const operations = paths.find(({ form }) => form.test(path.split('?')[0] ?? ''))?.operations;
      const responses = operations?.[method.toLowerCase()]?.responses;
      const response = responses?.[String(status)] ?? responses?.['default'];
      if (!response?.content) return undefined;
      const media = response.content[contentType];
      if (!media) return [`${contentType} is not among ${Object.keys(response.content).join(', ')}`];
      const schema = schemaOf(document, media);
      return schema ? validateValue(body, schema).map((error) => `${error.field}: ${error.message}`) : [];
    },
  };
}

const file = 'api-spec/core-today.yaml';

/** The published API; undefined when its document is not there. */
export function publishedContract(): Contract | undefined {
  return vectors.has(file) ? contractOf(vectors.text(file), file) : undefined;
}

function schemaOf(document: SchemaDocument, media: Media): Schema | undefined {
  return document.schema(media.schema?.$ref?.split('/').at(-1) ?? '');
}

/** A component of another published document, to hold a value against. */
export function componentViolations(path: string, component: string, value: unknown): string[] {
  const schema = parseSchemaDocument(vectors.text(path), path).schema(component);
  if (!schema) return [`there is no component ${component}`];
  return validateValue(value as JsonObject, schema).map((error) => `${error.field}: ${error.message}`);
}
