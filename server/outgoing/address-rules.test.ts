import { expect, test } from "vitest";
import { isLocalName, reachOf } from "./address-rules";

test.each([
  ...["127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1"],
  ...["::1", "fc00::1", "fd12:3456::1", "fd00:ec2::254", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.1.2.3"],
  ...["64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "[::1]"],
])("%s is private: only where an owner allowed the host", (address) => {
  expect(reachOf(address)).toBe("private");
});

test.each([
  ...["0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.0.1", "224.0.0.1", "239.255.255.255", "240.0.0.1"],
  ...["255.255.255.255", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.0.0.8"],
  ...["::", "fe80::1", "fe80::1%eth0", "ff02::1", "fec0::1", "2001:db8::1", "2002:7f00:1::", "2001::1", "100::1"],
  ...["::ffff:a9fe:a9fe", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "::7f00:1", "64:ff9b:1::a00:1"],
  ...["4000::1", "not an address", ""],
])("%s is special: never behind a name", (address) => {
  expect(reachOf(address)).toBe("special");
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "172.32.0.1",
  "100.128.0.1",
  "2606:4700:4700::1111",
  "64:ff9b::808:808",
  "::ffff:8.8.8.8",
])("%s is public", (address) => {
  expect(reachOf(address)).toBe("public");
});

test("localhost and its subdomains are this machine, names that only look alike are not", () => {
  expect(["localhost", "app.localhost"].filter(isLocalName)).toHaveLength(2);
  expect(["localhost.example.org", "mylocalhost", "local"].filter(isLocalName)).toEqual([]);
});
