const fingerprint = () => null;
