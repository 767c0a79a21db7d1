import { describe, expect, it } from 'vitest';
import { newPassword } from './kubeadmin-password.ts';

describe('newPassword', () => {
  it('When a password is made, it should be four groups of five characters that nobody confuses', () => {
    for (let i = 0; i < 50; i++) expect(newPassword()).toMatch(/^[a-km-zA-NP-Z2-9]{5}(-[a-km-zA-NP-Z2-9]{5}){3}$/);
    expect(newPassword()).not.toBe(newPassword());
  });
});
