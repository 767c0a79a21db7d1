import { prepareRequestApproval, validateRequestUpdate } from '../kinds/index.ts';
import { draftOf } from '../registry/draft.ts';
import type { Section } from './subresource.ts';

/** certificatesigningrequests/approval: the conditions Approved and Denied, once and for all. */
export const requestApproval: Section = {
  form: 'section',
  as: 'custom',
  take(body, old, context) {
    const draft = draftOf(old);
    draft['status'] = { ...draft['status'], conditions: body['status']?.conditions };
    prepareRequestApproval(draft, old, { now: context.now, user: context.user, dryRun: false });
    draft['metadata'].resourceVersion = body['metadata'].resourceVersion;
    return draft;
  },
  validate: (object, old) => validateRequestUpdate(object, old, { approval: true, certificate: false }),
};
