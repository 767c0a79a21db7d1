import {
  AUTHORIZER,
  BOOL,
  CelCompileError,
  type CelType,
  createEnvironment,
  DYN,
  type Environment,
  INT,
  listType,
  mapType,
  objectType,
  type Program,
  RESOURCE_CHECK,
  STRING,
  TIMESTAMP,
} from '@hypershift-ts/kube-cel';

const stringMap = mapType(STRING, STRING);

const groupVersionKind = objectType('kubernetes.GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const groupVersionResource = objectType('kubernetes.GroupVersionResource', {
  group: STRING,
  version: STRING,
  resource: STRING,
});
const userInfo = objectType('kubernetes.UserInfo', {
  username: STRING,
  uid: STRING,
  groups: listType(STRING),
  extra: mapType(STRING, listType(STRING)),
});

const requestType = objectType('kubernetes.AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: STRING,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo,
  dryRun: BOOL,
  options: DYN,
});

const namespaceType = objectType('kubernetes.Namespace', {
  metadata: objectType('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: stringMap,
    annotations: stringMap,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listType(STRING),
  }),
  spec: objectType('kubernetes.NamespaceSpec', { finalizers: listType(STRING) }),
  status: objectType('kubernetes.NamespaceStatus', { phase: STRING }),
});

/** Which of the optional names an expression may use. */
export interface EnvironmentShape {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Types of `object` (and `oldObject`) and `params` where they are to be checked; anything otherwise. */
  readonly objectType?: CelType | undefined;
  readonly paramsType?: CelType | undefined;
  /** Mutations build objects out of values of all types. */
  readonly mixedLiterals?: boolean;
}

/** The names every admission expression knows. */
export function declaredNames({
  params,
  authorizer,
  objectType: object = DYN,
  paramsType = DYN,
}: EnvironmentShape): Record<string, CelType> {
  return {
    object,
    oldObject: object,
    request: requestType,
    namespaceObject: namespaceType,
    ...(params ? { params: paramsType } : {}),
    ...(authorizer ? { authorizer: AUTHORIZER, 'authorizer.requestResource': RESOURCE_CHECK } : {}),
  };
}

const environments = new Map<string, Environment>();

/** The environment of expressions without variables, shared by everybody. */
export function plainEnvironment(shape: EnvironmentShape): Environment {
  const key = `${shape.params} ${shape.authorizer}`;
  let known = environments.get(key);
  if (!known) environments.set(key, (known = createEnvironment({ variables: declaredNames(shape) })));
  return known;
}

/** A compiled expression, or what is wrong with it in Kubernetes' words. */
export type Compiled =
  | { readonly program: Program; readonly error?: undefined }
  | { readonly program?: undefined; readonly error: string };

/** Compiles one expression that must give one of these types; anything goes when none are named. */
export function compileExpression(environment: Environment, source: string, types: readonly string[]): Compiled {
  try {
    const program = environment.compile(source);
    const { kind, name } = program.type;
    // A value whose type is known only when it runs does not count as a bool: Kubernetes wants it plain.
    if (types.length > 0 && !types.includes(kind === 'null' ? 'null_type' : name)) {
      return {
        error: types.length === 1 ? `must evaluate to ${types[0]}` : `must evaluate to one of [${types.join(' ')}]`,
      };
    }
    return { program };
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return { error: `compilation failed: ${error.message}` };
  }
}
