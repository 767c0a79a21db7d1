/** Version of the operators; the same in every package of the repository. */
export const operatorVersion = '0.1.0';
