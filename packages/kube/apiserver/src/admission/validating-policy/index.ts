import { type Clock, errorMessage, type StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import type { Authorizer } from '../../authorization/index.ts';
import type { RequestContext } from '../../request/context.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { nameForErrors } from '../error-name.ts';
import { requestBindings } from '../expressions/bindings.ts';
import type { Lookup } from '../lookup.ts';
import { matchRequest } from '../matching/criteria.ts';
import { RequestView } from '../matching/request-view.ts';
import type { Resource } from '../../resource/resource.ts';
import { type BoundPolicy, PolicyBook } from '../policy-book.ts';
import { type CompiledPolicy, compilePolicy } from './compile.ts';
import { evaluatePolicy, type Finding } from './evaluate.ts';
import { paramsFor } from './params.ts';
import { PolicyStatus } from './status.ts';
import type { PolicySpec } from './types.ts';

const name = 'ValidatingAdmissionPolicy';
const reasonCodes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
};

export interface ValidatingPolicyOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly lookup: Lookup;
  readonly authorizer: Authorizer;
  readonly log: (message: string, error?: unknown) => void;
}

type Policy = BoundPolicy<CompiledPolicy>;
type Binding = Policy['bindings'][number];

/** Something a policy had to say about a request, by which binding (none when matching itself failed). */
interface Denial {
  readonly policy: Policy;
  readonly binding?: Binding;
  readonly message: string;
  readonly reason?: string;
}

/** ValidatingAdmissionPolicies and their bindings, kept fresh from the store. */
export class ValidatingPolicies {
  readonly plugin: AdmissionPlugin;
  private readonly book: PolicyBook<CompiledPolicy>;
  private readonly options: ValidatingPolicyOptions;
  private readonly status: PolicyStatus;

  constructor(options: ValidatingPolicyOptions) {
    this.options = options;
    this.status = new PolicyStatus(options);
    this.book = new PolicyBook(options, {
      policies: 'validatingadmissionpolicies',
      bindings: 'validatingadmissionpolicybindings',
      compile: (policy) => {
        this.status.observe(policy);
        return compilePolicy((policy['spec'] ?? {}) as PolicySpec);
      },
    });
    this.plugin = {
      name,
      handles: (request) => this.book.find(request).length > 0,
      validate: (request, context) => this.validate(request, context),
    };
  }

  start(): Promise<void> {
    return this.book.start();
  }

  stop(): void {
    this.status.stop();
    this.book.stop();
  }

  private async validate(request: AdmissionRequest, context: RequestContext): Promise<void> {
    const view = new RequestView(request, context, this.options.lookup);
    const denials: Denial[] = [];
    for (const policy of this.book.find(request)) await this.consult(policy, view, denials);
    if (denials.length > 0) throw denialError(request, denials[0]!);
  }

  private async consult(policy: Policy, view: RequestView, denials: Denial[]): Promise<void> {
    const matched = await this.match(policy, view, denials);
    if (!matched) return;
    const annotations = new Map<string, Set<string>>();
    for (const binding of policy.bindings) {
      try {
        if (await matchRequest(binding.criteria, view))
          await this.enforce(policy, binding, matched, view, denials, annotations);
      } catch (error) {
        this.configurationError(policy, binding, error, denials);
      }
    }
    for (const [key, values] of annotations)
      view.context.auditAnnotation(`${policy.name}/${key}`, [...values].join(', '));
  }

  private async match(policy: Policy, view: RequestView, denials: Denial[]): Promise<Resource | undefined> {
    try {
      return await matchRequest(policy.compiled.criteria, view);
    } catch (error) {
      this.configurationError(policy, undefined, error, denials);
      return undefined;
    }
  }

  private async enforce(
    policy: Policy,
    binding: Binding,
    matched: Resource,
    view: RequestView,
    denials: Denial[],
    annotations: Map<string, Set<string>>,
  ): Promise<void> {
    const { compiled } = policy;
    const { paramRef, validationActions = [] } = binding.spec;
    const params = await paramsFor(this.options.lookup, compiled.spec.paramKind, paramRef, view.request.namespace);
    if ('error' in params) return this.configurationError(policy, binding, params.error, denials);
    if (params.length === 0) return;
    const objects = await view.objectsAs(matched);
    const namespace = compiled.usesNamespace ? await view.namespaceObject() : undefined;
    const base = requestBindings(view, matched, objects, namespace, this.options.authorizer);
    for (const param of params) {
      const bindings = Object.defineProperty(base, 'params', { value: param, configurable: true, enumerable: true });
      const outcome = evaluatePolicy(compiled, bindings);
      for (const finding of outcome.findings) act(policy, binding, validationActions, finding, view, denials);
      for (const { key, value } of outcome.auditAnnotations) {
        const values = annotations.get(key);
        if (values) values.add(value);
        else annotations.set(key, new Set([value]));
      }
    }
  }

  /** What is wrong with a policy itself is not weighed by the actions of a binding, only by the failure policy. */
  private configurationError(policy: Policy, binding: Binding | undefined, error: unknown, denials: Denial[]): void {
    const what = errorMessage(error);
    if (policy.compiled.spec.failurePolicy === 'Ignore') {
      this.options.log(`admission policy ${policy.name} could not be applied: ${what}`);
      return;
    }
    const message = `failed to configure ${binding ? 'binding' : 'policy'}: ${what}`;
    denials.push({ policy, message, ...(binding ? { binding } : {}) });
  }
}

function act(
  policy: Policy,
  binding: Binding,
  actions: readonly string[],
  { message, reason, index }: Finding,
  { context }: RequestView,
  denials: Denial[],
): void {
  if (actions.includes('Deny')) denials.push({ policy, binding, message, reason });
  if (actions.includes('Audit'))
    context.auditAnnotation(
      'validation.policy.admission.k8s.io/validation_failure',
      JSON.stringify([
        { message, policy: policy.name, binding: binding.name, expressionIndex: index, validationActions: actions },
      ]),
    );
  if (actions.includes('Warn'))
    context.warn(`Validation failed for ${name} '${policy.name}' with binding '${binding.name}': ${message}`);
}

/** Reads like a 403, but carries the code of the validation's reason. */
function denialError(request: AdmissionRequest, denial: Denial): StatusError {
  const by = denial.binding ? ` with binding '${denial.binding.name}'` : '';
  const message = `${name} '${denial.policy.name}'${by} denied request: ${denial.message}`;
  const error = statusErrors.forbidden(request.resource, nameForErrors(request), message);
  const reason = denial.reason || 'Invalid';
  return Object.assign(error, {
    reason,
    code: Object.hasOwn(reasonCodes, reason) ? reasonCodes[reason] : 422,
    details: { ...error.details, causes: [{ message }] },
  });
}
