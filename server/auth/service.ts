import { AppError } from "@/server/errors";
import { findCredentials } from "@/server/users/queries";
import { verifyPassword } from "./password";
import { countSignIn, forgetSignIns } from "./rate-limits";

type SignIn = { email: string; password: string; address: string };

/**
 * The id of the person these credentials belong to. `email` must be normalised.
 * Throws NOT_SIGNED_IN with one sentence for a wrong password and an unknown address alike, and
 * TooManyAttempts (TOO_MANY_REQUESTS) with the wait.
 */
export async function checkCredentials({ email, password, address }: SignIn): Promise<{ id: string }> {
  await countSignIn({ address, email });
  const person = await findCredentials(email);
  const matches = await verifyPassword(password, person?.passwordHash ?? null);
  if (!person || !matches) throw new AppError("NOT_SIGNED_IN", "E-mail address or password is wrong.");
  await forgetSignIns({ address, email });
  return { id: person.id };
}
