import { guestSide } from '../guest.ts';

export const agentGuest = guestSide();
