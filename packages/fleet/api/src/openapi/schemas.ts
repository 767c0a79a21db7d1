const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const count = { type: 'integer', format: 'int32' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const texts = { type: 'object', additionalProperties: text };
const references = { type: 'object', additionalProperties: { type: 'array', items: ref('ObjectReference') } };

function list(items: string) {
  return {
    type: 'object',
    required: ['items', 'page', 'size', 'total'],
    properties: { items: { type: 'array', items: ref(items) }, page: count, size: count, total: count },
  };
}

const metadata = {
  type: 'object',
  properties: {
    job_name: text,
    job_namespace: text,
    attempt: count,
    started_time: time,
    completed_time: time,
    duration: text,
  },
};

/** Shapes that all kinds share. */
export const sharedSchemas = {
  ObjectReference: { type: 'object', required: ['kind'], properties: { id: text, kind: text, href: text } },
  ResourceCondition: {
    type: 'object',
    required: ['type', 'status', 'observed_generation', 'created_time', 'last_updated_time', 'last_transition_time'],
    properties: {
      type: text,
      status: { type: 'string', enum: ['True', 'False'] },
      reason: text,
      message: text,
      observed_generation: count,
      created_time: time,
      last_updated_time: time,
      last_transition_time: time,
    },
  },
  ResourceStatus: {
    type: 'object',
    required: ['conditions'],
    properties: { conditions: { type: 'array', items: ref('ResourceCondition') } },
  },
  AdapterCondition: {
    type: 'object',
    required: ['type', 'status', 'last_transition_time'],
    properties: {
      type: text,
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: text,
      message: text,
      last_transition_time: time,
    },
  },
  AdapterStatus: {
    type: 'object',
    required: ['adapter', 'observed_generation', 'conditions', 'created_time', 'last_report_time'],
    properties: {
      adapter: text,
      observed_generation: count,
      conditions: { type: 'array', items: ref('AdapterCondition') },
      metadata,
      data: { type: 'object', additionalProperties: true },
      created_time: time,
      last_report_time: time,
    },
  },
  AdapterStatusList: list('AdapterStatus'),
  AdapterStatusCreateRequest: {
    type: 'object',
    required: ['adapter', 'observed_generation', 'observed_time', 'conditions'],
    properties: {
      adapter: { type: 'string', minLength: 1 },
      observed_generation: { ...count, minimum: 1 },
      observed_time: time,
      conditions: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['type', 'status'],
          properties: {
            type: text,
            status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
            reason: text,
            message: text,
          },
        },
      },
      metadata,
      data: { type: 'object', additionalProperties: true },
    },
  },
  ForceDeleteRequest: {
    type: 'object',
    required: ['reason'],
    properties: { reason: { type: 'string', minLength: 1, maxLength: 1024 } },
  },
  ProblemDetails: {
    type: 'object',
    required: ['type', 'title', 'status'],
    properties: {
      type: { type: 'string', format: 'uri' },
      title: text,
      status: { type: 'integer' },
      detail: text,
      instance: { type: 'string', format: 'uri-reference' },
      code: text,
      timestamp: time,
      trace_id: text,
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['field', 'message'],
          properties: { field: text, value: {}, constraint: text, message: text },
        },
      },
    },
  },
};

/** The shapes of one kind: shown, listed, created, patched. `spec` is the schema of its spec, when there is one. */
export function kindSchemas(kind: string, spec: string | undefined): Record<string, object> {
  const specSchema = spec === undefined ? { type: 'object', additionalProperties: true } : ref(spec);
  return {
    [kind]: {
      type: 'object',
      required: [
        'id',
        'kind',
        'name',
        'spec',
        'status',
        'generation',
        'created_time',
        'updated_time',
        'created_by',
        'updated_by',
      ],
      properties: {
        id: text,
        kind: text,
        name: text,
        href: text,
        spec: specSchema,
        labels: texts,
        tenancy: texts,
        status: ref('ResourceStatus'),
        generation: { ...count, minimum: 1 },
        owner_references: ref('ObjectReference'),
        references,
        created_time: time,
        updated_time: time,
        created_by: text,
        updated_by: text,
        deleted_time: time,
        deleted_by: text,
      },
    },
    [`${kind}List`]: list(kind),
    [`${kind}CreateRequest`]: {
      type: 'object',
      required: ['kind', 'name', 'spec'],
      properties: { kind: text, name: text, spec: specSchema, labels: texts, references },
    },
    [`${kind}PatchRequest`]: {
      type: 'object',
      minProperties: 1,
      additionalProperties: false,
      properties: { spec: specSchema, labels: texts, references },
    },
  };
}
