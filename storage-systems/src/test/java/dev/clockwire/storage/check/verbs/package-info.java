package dev.clockwire.storage.check.verbs;
