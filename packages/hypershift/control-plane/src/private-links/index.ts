export { disconnectPrivateLinks, privateLinkController, type PrivateLinkOptions } from './controller.ts';
export { privateLinkObjects } from './objects.ts';
