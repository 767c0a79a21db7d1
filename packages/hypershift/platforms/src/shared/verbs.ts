/** Verbs of whom objects belong to. */
export const managing = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
