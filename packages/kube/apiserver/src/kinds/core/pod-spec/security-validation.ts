import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../behaviour.ts';
import { inRange, notNegative, required, supported, unique } from '../../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, stringsOf, textOf } from '../../values.ts';

const maxId = 2_147_483_647;

/** Slashes and dots separate the parts of a kernel setting's name. */
const sysctlPattern = String.raw`^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`;
// Part by part, so that no name can make it backtrack.
const sysctlName = /^(?:[a-z0-9][-_a-z0-9]*(?<![-_])[./])*[a-z0-9][-_a-z0-9]*(?<![-_])$/;

/** The security context of the pod as a whole. */
export function validatePodSecurity(errors: FieldError[], spec: Draft, field: string): void {
  const context = fieldsOf(spec['securityContext']);
  const path = `${field}.securityContext`;
  for (const id of ['fsGroup', 'runAsUser', 'runAsGroup']) inRange(errors, `${path}.${id}`, context[id], 0, maxId);
  if (Array.isArray(context['supplementalGroups']))
    context['supplementalGroups'].forEach((group: unknown, index: number) =>
      inRange(errors, `${path}.supplementalGroups[${index}]`, group, 0, maxId),
    );
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true)
    errors.push(
      fieldError.invalid(
        `${path}.shareProcessNamespace`,
        true,
        'ShareProcessNamespace and HostPID cannot both be enabled',
      ),
    );
  supported(errors, `${path}.fsGroupChangePolicy`, context['fsGroupChangePolicy'], ['Always', 'OnRootMismatch']);
  supported(errors, `${path}.supplementalGroupsPolicy`, context['supplementalGroupsPolicy'], ['Merge', 'Strict']);
  const sysctls = listOf(context['sysctls']);
  sysctls.forEach((sysctl, index) => {
    const at = `${path}.sysctls[${index}].name`;
    const name = sysctl['name'];
    if (!required(errors, at, name)) return;
    if (String(name).length > 253 || !sysctlName.test(String(name)))
      errors.push(fieldError.invalid(at, name, `must have at most 253 characters and match regex ${sysctlPattern}`));
    else if (spec['hostNetwork'] === true && /^net[./]/.test(String(name)))
      errors.push(fieldError.invalid(at, name, "may not be specified when 'hostNetwork' is true"));
  });
  unique(
    errors,
    sysctls,
    (index) => `${path}.sysctls[${index}].name`,
    (sysctl) => sysctl['name'],
  );
  validateProfiles(errors, context, path);
}

/** The security context of one container. */
export function validateContainerSecurity(errors: FieldError[], container: Draft, field: string): void {
  if (!isSet(container['securityContext'])) return;
  const context = fieldsOf(container['securityContext']);
  const path = `${field}.securityContext`;
  notNegative(errors, `${path}.runAsUser`, context['runAsUser']);
  for (const id of ['runAsUser', 'runAsGroup']) inRange(errors, `${path}.${id}`, context[id], 0, maxId);
  supported(errors, `${path}.procMount`, context['procMount'], ['Default', 'Unmasked']);
  if (context['allowPrivilegeEscalation'] === false) {
    if (context['privileged'] === true)
      errors.push(
        fieldError.invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'),
      );
    if (stringsOf(fieldsOf(context['capabilities'])['add']).some((name) => name === 'CAP_SYS_ADMIN'))
      errors.push(
        fieldError.invalid(
          path,
          context,
          'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
        ),
      );
  }
  validateProfiles(errors, context, path);
}

function validateProfiles(errors: FieldError[], context: Draft, field: string): void {
  const kinds = [
    ['seccompProfile', 'seccomp', ['Localhost', 'RuntimeDefault', 'Unconfined']],
    ['appArmorProfile', 'AppArmor', ['Localhost', 'RuntimeDefault', 'Unconfined']],
  ] as const;
  for (const [key, shown, types] of kinds) {
    if (!isSet(context[key])) continue;
    const profile = fieldsOf(context[key]);
    const path = `${field}.${key}`;
    if (required(errors, `${path}.type`, profile['type'], `type is required when ${key} is set`))
      supported(errors, `${path}.type`, profile['type'], types);
    if (profile['type'] === 'Localhost')
      required(
        errors,
        `${path}.localhostProfile`,
        profile['localhostProfile'],
        `must be set when ${shown} type is Localhost`,
      );
    else if (!isEmpty(profile['localhostProfile']))
      errors.push(
        fieldError.invalid(
          `${path}.localhostProfile`,
          textOf(profile['localhostProfile']),
          `can only be set when ${shown} type is Localhost`,
        ),
      );
  }
}
