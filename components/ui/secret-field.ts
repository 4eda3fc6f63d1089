/** A name with a secret value in a form: a header, a variable. */
export type SecretField = {
  /** Of the row on the screen; names may repeat while somebody types. */
  key: string;
  name: string;
  value: string;
  /** Has a value on the server, which an empty field keeps. */
  isStored: boolean;
};

let keys = 0;
export const aSecretField = (field: Partial<SecretField> = {}): SecretField => ({
  key: `secret-${++keys}`,
  name: "",
  value: "",
  isStored: false,
  ...field,
});

/** Rows that say something: ones left empty are not sent. */
export const keptSecrets = (secrets: readonly SecretField[]) =>
  secrets.filter(({ name, value, isStored }) => name.trim() !== "" || value !== "" || isStored);

/** As they are sent: null keeps the stored value. */
export const secretsToSend = (secrets: readonly SecretField[]) =>
  keptSecrets(secrets).map(({ name, value, isStored }) => ({
    name: name.trim(),
    value: isStored && value === "" ? null : value,
  }));
