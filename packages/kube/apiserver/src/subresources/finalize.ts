import { validateNamespaceFinalize } from '../kinds/index.ts';
import { draftOf } from '../registry/draft.ts';
import type { Section } from './subresource.ts';

/** namespaces/finalize: who still has to clean up before the namespace may go. */
export const namespaceFinalize: Section = {
  form: 'section',
  as: 'custom',
  take(body, old) {
    const draft = draftOf(old);
    draft['spec'] = { ...draft['spec'], finalizers: body['spec']?.finalizers ?? [] };
    draft['metadata'].resourceVersion = body['metadata'].resourceVersion;
    return draft;
  },
  validate: (object) => validateNamespaceFinalize(object),
};
