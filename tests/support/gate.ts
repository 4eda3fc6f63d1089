/** Something to wait for until a test has seen enough. */
export class Gate {
  open = (): void => {};
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}
