/** The API as the spike describes it, offered under `/api/v1`: what differs from today, and only that. */
export { spikeFilter } from './query.ts';
export { spikeView } from './view.ts';
