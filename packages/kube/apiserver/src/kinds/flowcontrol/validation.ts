import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1123Label, isDNS1123Subdomain } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, required, supported } from '../rules/checks.ts';
import { fieldsOf, isSet, listOf, numberOf, stringsOf, textOf } from '../values.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** What the rules of a flow schema may say. */
export function validateFlowRules(errors: FieldError[], spec: Draft): void {
  const level = fieldsOf(spec['priorityLevelConfiguration'])['name'];
  if (textOf(level) !== '') format(errors, 'spec.priorityLevelConfiguration.name', level, isDNS1123Subdomain);
  listOf(spec['rules']).forEach((rule, index) => validateRule(errors, fieldsOf(rule), `spec.rules[${index}]`));
}

function validateRule(errors: FieldError[], rule: Draft, at: string): void {
  const subjects = listOf(rule['subjects']);
  required(errors, `${at}.subjects`, subjects, 'subjects must contain at least one value');
  subjects.forEach((subject, index) => validateSubject(errors, fieldsOf(subject), `${at}.subjects[${index}]`));
  const resources = listOf(rule['resourceRules']);
  const paths = listOf(rule['nonResourceRules']);
  if (resources.length === 0 && paths.length === 0)
    errors.push(fieldError.required(at, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  resources.forEach((one, index) => validateResourceRule(errors, fieldsOf(one), `${at}.resourceRules[${index}]`));
  paths.forEach((one, index) => validatePathRule(errors, fieldsOf(one), `${at}.nonResourceRules[${index}]`));
}

const subjectFields: Readonly<Record<string, string>> = {
  Group: 'group',
  ServiceAccount: 'serviceAccount',
  User: 'user',
};

function validateSubject(errors: FieldError[], subject: Draft, at: string): void {
  const kind = textOf(subject['kind']);
  const field = Object.hasOwn(subjectFields, kind) ? subjectFields[kind]! : undefined;
  if (field === undefined) {
    errors.push(fieldError.notSupported(`${at}.kind`, kind, Object.keys(subjectFields)));
    return;
  }
  if (!isSet(subject[field])) {
    errors.push(fieldError.required(`${at}.${field}`, `${field} is required when subject kind is '${kind}'`));
    return;
  }
  const { name, namespace } = fieldsOf(subject[field]);
  const named = required(errors, `${at}.${field}.name`, textOf(name));
  if (kind !== 'ServiceAccount') return;
  if (named && name !== '*') format(errors, `${at}.${field}.name`, name, isDNS1123Subdomain);
  if (required(errors, `${at}.${field}.namespace`, textOf(namespace), 'must specify namespace for service account'))
    format(errors, `${at}.${field}.namespace`, namespace, isDNS1123Label);
}

function validateVerbs(errors: FieldError[], given: readonly string[], at: string): void {
  if (!required(errors, at, given, 'verbs must contain at least one value')) return;
  if (given.includes('*')) {
    if (given.length > 1) errors.push(fieldError.invalid(at, given, "if '*' is present, must not specify other verbs"));
  } else if (given.some((verb) => !verbs.includes(verb))) errors.push(fieldError.notSupported(at, given, verbs));
}

function validateResourceRule(errors: FieldError[], rule: Draft, at: string): void {
  validateVerbs(errors, stringsOf(rule['verbs']), `${at}.verbs`);
  for (const [field, one, many] of [
    ['apiGroups', 'api group', 'api groups'],
    ['resources', 'resource', 'resources'],
  ] as const) {
    const given = stringsOf(rule[field]);
    if (required(errors, `${at}.${field}`, given, `resource rules must supply at least one ${one}`))
      aloneIfStar(errors, given, `${at}.${field}`, many);
  }
  const namespaces = stringsOf(rule['namespaces']);
  if (namespaces.length === 0) {
    if (rule['clusterScope'] !== true)
      errors.push(
        fieldError.required(
          `${at}.namespaces`,
          'resource rules that are not cluster scoped must supply at least one namespace',
        ),
      );
    return;
  }
  aloneIfStar(errors, namespaces, `${at}.namespaces`, 'namespaces');
  namespaces.forEach((namespace, index) => {
    if (namespace === '*') return;
    for (const message of isDNS1123Label(namespace))
      errors.push(
        fieldError.invalid(
          `${at}.namespaces[${index}]`,
          namespace,
          `each member of this list must be '*' or a DNS-1123 label; ${message}`,
        ),
      );
  });
}

function aloneIfStar(errors: FieldError[], given: readonly string[], at: string, what: string): void {
  if (given.length > 1 && given.includes('*'))
    errors.push(fieldError.invalid(at, given, `if '*' is present, must not specify other ${what}`));
}

function validatePathRule(errors: FieldError[], rule: Draft, at: string): void {
  validateVerbs(errors, stringsOf(rule['verbs']), `${at}.verbs`);
  const paths = stringsOf(rule['nonResourceURLs']);
  const field = `${at}.nonResourceURLs`;
  if (!required(errors, field, paths, 'nonResourceURLs must contain at least one value')) return;
  paths.forEach((path, index) => {
    const problem =
      path === '' ? 'must not be empty' : path === '*' || path.startsWith('/') ? '' : 'must start with slash';
    if (problem !== '') errors.push(fieldError.invalid(`${field}[${index}]`, path, problem));
  });
}

/** How a priority level shares and queues. */
export function validateLevelDetails(errors: FieldError[], level: UnstructuredObject, spec: Draft): void {
  if (isSet(spec['type']) && (spec['type'] === 'Exempt') !== (level.metadata.name === 'exempt'))
    errors.push(fieldError.invalid('spec.type', spec['type'], "must be 'Exempt' if and only if `name` is 'exempt'"));
  for (const kind of ['exempt', 'limited'])
    if (isSet(spec[kind])) validateShares(errors, fieldsOf(spec[kind]), `spec.${kind}`);
  if (isSet(spec['limited'])) validateResponse(errors, fieldsOf(fieldsOf(spec['limited'])['limitResponse']));
}

function validateShares(errors: FieldError[], shares: Draft, at: string): void {
  if (numberOf(shares['nominalConcurrencyShares']) < 0)
    errors.push(
      fieldError.invalid(
        `${at}.nominalConcurrencyShares`,
        shares['nominalConcurrencyShares'],
        'must be a non-negative integer',
      ),
    );
  const lendable = numberOf(shares['lendablePercent']);
  if (lendable < 0 || lendable > 100)
    errors.push(fieldError.invalid(`${at}.lendablePercent`, lendable, 'must be between 0 and 100, inclusive'));
}

function validateResponse(errors: FieldError[], response: Draft): void {
  const at = 'spec.limited.limitResponse';
  const type = textOf(response['type']);
  if (type !== '') supported(errors, `${at}.type`, type, ['Queue', 'Reject']);
  if (type === 'Queue') {
    if (!isSet(response['queuing'])) errors.push(fieldError.required(`${at}.queuing`));
    else validateQueues(errors, fieldsOf(response['queuing']), `${at}.queuing`);
  } else if (isSet(response['queuing'])) errors.push(fieldError.forbidden(`${at}.queuing`, ''));
  if (type === '') errors.push(fieldError.required(`${at}.type`));
}

function validateQueues(errors: FieldError[], queuing: Draft, at: string): void {
  const queues = numberOf(queuing['queues']);
  const hand = numberOf(queuing['handSize']);
  for (const field of ['queueLengthLimit', 'queues', 'handSize'])
    if (numberOf(queuing[field]) <= 0)
      errors.push(fieldError.invalid(`${at}.${field}`, numberOf(queuing[field]), 'must be positive'));
  if (hand > queues)
    errors.push(fieldError.invalid(`${at}.handSize`, hand, `should not be greater than queues (${queues})`));
}
