import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { newSecret, signedHeaders } from "./sign";

test("what is signed is verified by the official library, and by no other secret", () => {
  const secret = newSecret();
  const body = JSON.stringify({ type: "test", text: "Grüße, 🎭" });
  const headers = signedHeaders(secret, { id: "m1", timestampSeconds: Math.floor(Date.now() / 1000), body });
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "m2" })).toThrow();
});

test("the example of the specification comes out as it says", () => {
  const headers = signedHeaders("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", {
    ...{ id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestampSeconds: 1614265330, body: '{"test": 2432232314}' },
  });
  expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});
