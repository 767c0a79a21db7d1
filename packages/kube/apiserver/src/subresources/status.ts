import { draftOf } from '../registry/draft.ts';
import type { Section } from './subresource.ts';

/** Every kind that has a status has this: only status is taken from the body. */
export const statusSection: Section = {
  form: 'section',
  as: 'status',
  take(body, old) {
    const draft = draftOf(old);
    // Which of these count is the kind's business; the generic path drops what its status may not carry.
    draft['metadata'].labels = body['metadata'].labels;
    draft['metadata'].annotations = body['metadata'].annotations;
    if (body['status'] === undefined) delete draft['status'];
    else draft['status'] = body['status'];
    // The lock and managedFields travel with the body.
    draft['metadata'].resourceVersion = body['metadata'].resourceVersion;
    if (body['metadata'].uid !== undefined) draft['metadata'].uid = body['metadata'].uid;
    if (body['metadata'].managedFields !== undefined) draft['metadata'].managedFields = body['metadata'].managedFields;
    return draft;
  },
};
