/** Headers or environment, as the form names them. */
export const SECRET_WORDS = {
  http: {
    title: "Headers",
    about: "Sent with every request, e.g. Authorization with the value Bearer … Values are stored encrypted.",
    name: "Header name",
    add: "Add header",
  },
  stdio: {
    title: "Environment",
    about:
      "Keys the program needs. Values are stored encrypted; of this server’s own environment it gets PATH and HOME.",
    name: "Variable name",
    add: "Add variable",
  },
};
