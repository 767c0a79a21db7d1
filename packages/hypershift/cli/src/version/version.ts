/** Version of this program; the same in every package of the repository. */
export const productVersion = '0.1.0';
