import { z } from "zod";
import { email } from "@/server/users/schema";

const csrfToken = z.string().max(200);

export const credentials = z.strictObject({
  email,
  password: z.string().min(1, "Write your password.").max(200, "At most 200 characters."),
});

/** Bodies of the two auth doors that change something. Nothing else reaches the library behind them. */
export const signInBody = credentials.extend({ csrfToken });
export const signOutBody = z.strictObject({ csrfToken });
